/** Keys of the age format for tests, made by `age-keygen`. They protect nothing. */
export const KEY = {
  recipient: 'age1r4qvyp9kn4gxxegg0jvvk3h86eg2j9a8d3mzum2svgrd7fhcegrswqgvr7',
  identity: 'AGE-SECRET-KEY-1EQTZ7QFXLX66X29ZRPDTQN9W353SQH8WAVRZ3XG8ZANDE0R5NUUSK9V9N2',
};
export const SECOND_KEY = {
  recipient: 'age1mjsw8tya0l8dzz4kutvdhd6k8u2n49teklvlsxu0k02w8m2vkswqvz5psx',
  identity: 'AGE-SECRET-KEY-1ATCYVUWTDJ67A8902PMSQ9C0WQTYTQ5V73M75HE65JMZSD7K936STFQX6X',
};
export const OTHER_KEY = {
  recipient: 'age1vepe3p3sh73tpxmgt59wjthh0f06pqua632v3le9ngjyc5e7kgcshygzr0',
  identity: 'AGE-SECRET-KEY-1ZRRJ0Y8WPE33L28X03NL7NLES4FSAQRWM68Y975F5XQVAZAAG2UQDA4NZN',
};
