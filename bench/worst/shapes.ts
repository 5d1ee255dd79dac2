/** The building blocks of hostile inputs: frames, and tokens to repeat in them. */

export interface Shapes {
  /** `…` stands for the repeated tokens. */
  readonly frames: readonly string[];
  /** The tokens, repeated alone and in mixtures. */
  readonly tokens: readonly string[];
  /** The most repetitions, if the server limits a number and not only a length. */
  readonly timesMax?: number;
}

/** A kind of input. */
export interface Input extends Shapes {
  readonly name: string;
  readonly bytesMax: number;
  /** Whether the input arrives in a request, so that other requests wait for it. */
  readonly isRequest: boolean;
  readonly read: (text: string) => unknown;
  /** Other requests have turns in between, so that the longest turn counts and not the sum. */
  readonly hasTurns?: boolean;
}

/** Stands for the number of the repetition in a token, so that all its names differ. */
const NUMBER = '№';

/** The token with the number of a repetition: always of the same length. */
export function numbered(token: string, at: number): string {
  return token.replaceAll(NUMBER, at.toString(36).padStart(4, '0'));
}

/** Reads both lists from texts, in which `~` separates the items. */
const shapes = (frames: string, tokens: string): Shapes => ({
  frames: frames.split('~'),
  tokens: tokens.split('~'),
});

const MARKS = '\u0316\u0301';
const EMOJI = '\u{1f3e5}';

export const JSON_START =
  '{"resourceType":"OrderResponse","request":{"display":"a"},"orderStatus":"review"';
const jsonFrames = (inner: string) => inner.replaceAll('@', `${JSON_START},`);
const extension = (name: string) => `"extension":[{"url":"u:a","${name}":"…"}]}`;

export const JSON_SHAPES = shapes(
  jsonFrames(
    '…~@"description":"…"}~@…}~@"extension":[…]}~@"identifier":[{"value":"…"}]}~@"contained":[…]}~' +
      '@"contained":[{"resourceType":"Patient","id":"a","name":[…]}]}~@"date":"…"}~' +
      '@"language":"…"}~@"extension":[{"url":"u:a","valueDecimal":…}]}~@"_description":{…}}~' +
      ['valueBase64Binary', 'valueUri', 'valueCode', 'valueInstant']
        .map((name) => `@${extension(name)}`)
        .join('~'),
  ),
  'a~ ~\n~\r~\\u0061~\\n~9~.~:~a ~A=~[~{"a":~{}~,~"a":1,~"x":null,~{"text":"a"},~"~\\~' +
    '{"url":"u:a","valueCode":"b"},~{"given":["a","b"]},~{"resourceType":"Basic","id":"a"},~' +
    '"a№":1,~{"resourceType":"Basic","id":"a№"},~' +
    `${MARKS}~${EMOJI}`,
);

const xmlFrames = (inner: string) =>
  inner
    .replaceAll('@', '<OrderResponse xmlns="http://hl7.org/fhir">')
    .replaceAll('#', '<request><display value="a"/></request></OrderResponse>');

export const XML_SHAPES = shapes(
  xmlFrames(
    '…~@…#~@<extension url="…"/>#~@<extension …/>#~@<language value="…"/>#~@<!--…-->#~' +
      '@<extension url="u:a"><valueBase64Binary value="…"/></extension>#~@<![CDATA[…]]>#~' +
      '@<text><status value="generated"/><div xmlns="http://www.w3.org/1999/xhtml">…</div></text>#~' +
      '@<contained><Patient><id value="a"/>…</Patient></contained>#~<?xml …?>@#~<?a …?>@#~' +
      '<?a…?>@#~@<a…/>#~@<a b…="c"/>#~@<a b=…"c"/>#~@<a xmlns:b="…"/>#~@<a>&…;</a>#~' +
      '<OrderResponse xmlns="http://hl7.org/fhir"…>#~@#</OrderResponse…>~<!DOCTYPE …>@#~…@#',
  ),
  'a~ ~\n~\r~\r\n~&amp;~&#97;~&~<~>~]]>~<![CDATA[a]]>~<!--a-->~<?a b?>~<a>~<b/>~</a>~ a="b"~' +
    ' xmlns:a="u:b"~<name><text value="a"/></name>~<a:b xmlns:a="u:c"/>~-~- ~?~? ~]~"~9~:~=~' +
    ' a№="b"~ a№=""~ xmlns:a№="u"~<a№/>~<a№ b№="c"/>~' +
    `<extension url="u:a"><valueCode value="b"/></extension>~${MARKS}~${EMOJI}`,
);

const ENTRY_START = '"request":{"method":"POST","url":"OrderResponse"}';

/** The body of a transaction or batch. */
export const JSON_BUNDLE_SHAPES = shapes(
  '{"resourceType":"Bundle","type":"transaction","entry":[…]}~' +
    '{"resourceType":"Bundle","type":"batch","entry":[…]}~{"resourceType":"Bundle",…}~' +
    `{"resourceType":"Bundle","type":"batch","entry":[{${ENTRY_START},"resource":{…}}]}`,
  `{"fullUrl":"urn:a:№",${ENTRY_START},"resource":${JSON_START}}},~{"fullUrl":"urn:a:№"},~"a№":1,~` +
    `{${ENTRY_START}},~{"resource":{"resourceType":"Basic","id":"a№"}},~{"a№":1},~{},`,
);

const xmlBundles = (inner: string) =>
  inner.replaceAll('@', '<Bundle xmlns="http://hl7.org/fhir"><type value="batch"/>');

export const XML_BUNDLE_SHAPES = shapes(
  xmlBundles(
    '<Bundle xmlns="http://hl7.org/fhir"…></Bundle>~@…</Bundle>~@<entry>…</entry></Bundle>~' +
      '@<entry><resource><OrderResponse>…</OrderResponse></resource></entry></Bundle>',
  ),
  ' a№="b"~ xmlns:a№="u"~<a№/>~<a№ b№="c"/>~<entry><fullUrl value="urn:a:№"/></entry>~' +
    '<entry id="a№"/>~<extension url="u:№"><valueCode value="b"/></extension>',
);

/** Stored order responses, as a search finds them: those that the server accepts. */
export const PAGE_OF_RESOURCES_SHAPES = shapes(
  jsonFrames(
    '@"extension":[…{"url":"u:a","valueCode":"b"}]}~@"description":"…"}~@"identifier":[…{"value":"a"}]}~' +
      '@"text":{"status":"generated","div":"<div xmlns=\\"http://www.w3.org/1999/xhtml\\">…</div>"}}',
  ),
  '{"url":"u:a","valueCode":"b"},~{"url":"u:a","valueDecimal":1.50},~{"value":"a"},~a~É~&amp;~<br/>~<b>a</b>',
);

const divFrames = (inner: string) =>
  inner.replaceAll('@', `${JSON_START},"text":{"status":"generated","div":"`);

export const NARRATIVE_SHAPES = shapes(
  divFrames(
    '@<div>…</div>"}}~@<div>a<p …/></div>"}}~@<div>a<a href=\'…\'/></div>"}}~' +
      "@<div><img src='data:image/png;base64,…'/></div>\"}}~@<div><img src='…'/></div>\"}}~" +
      '@…</div>"}}~@<div…"}}',
  ),
  "a~ ~\\n~\\r~\\t~&amp;~&#97;~&lt;~&nbsp;~<b>~<br/>~</b>~<![CDATA[a]]>~<!--a-->~<?a b?>~ a='b'~" +
    " style='color:red'~A~=~#~a/~a:~%~\\ud83d~<p style='color:red'>a</p>~<div~<x/>~" +
    `${MARKS}~${EMOJI}`,
);

const STYLE_TOKENS =
  'a~ ~color:red;~color: red  ;~;~:~(~)~rgb( 1 , 2~/*~\\\\~font-family:a,~1px ~ ! important~-~' +
  MARKS;
/** One long style, and many styles of the greatest allowed length. */
const manyStyles = STYLE_TOKENS.split('~').map((unit) => {
  const style = unit.repeat(Math.floor(4000 / unit.length));
  return `@<div>a${`<p style='margin:${style}'/>`.repeat(200)}…</div>"}}`;
});

export const STYLE_SHAPES = shapes(
  divFrames(["@<div>a<p style='…'/></div>\"}}", ...manyStyles].join('~')),
  `${STYLE_TOKENS}~<p style='a:b'/>~<p style='color:red'/>`,
);

export const SEARCH_SHAPES = shapes(
  '…~name=…~name:contains=…~address-city=…~address-postalcode=…~_id=…~identifier=…~' +
    '_lastUpdated=gt…~ods-org-role=…~_count=…~_format=…~_since=…',
  'a~%zz=1&~%zz~&~=~a&~,~%2C~\\~\\,~|~+~%20~%CC%96%CC%81~%EF%AC%83~1~e,~a=b&~name=e&~' +
    'name:contains=e&~:~2020-01-01T00:00:00.0~a№=b&~name=a№&~a№,~№&',
);

export const PARAMETERS_SHAPES = shapes(
  '{"resourceType":"Parameters","parameter":[…{"name":"a"}]}~' +
    '{"resourceType":"Parameters","parameter":[{"name":"code","valueCode":"…"}]}',
  '{"name":"a","valueString":"b"},~{"name":"code","valueCode":"a"},~{"name":"a","part":[{"name":"b"}]},~' +
    '[~{"a":~a ~a~\\u0061~ ~{"name":"a№","valueString":"b"},~"a№":1,',
);

const BOTH_AFFILIATIONS = ['primary', 'participating'].map(
  (name) => `OrganizationAffiliation:${name}-organization`,
);
const INCLUDES = BOTH_AFFILIATIONS.map((name) => `_include=${name}`).join('&');
const REVERSE_INCLUDES = BOTH_AFFILIATIONS.map((name) => `_revinclude=${name}`).join('&');

/** A search may have 50 parameters; the frames have at most five. */
const parameters = (frames: string, tokens: string): Shapes => ({
  ...shapes(frames, tokens),
  timesMax: 45,
});

/** A search may have 200 values; each frame ends with one. */
const values = (frames: string, tokens: string): Shapes => ({
  ...shapes(frames, tokens),
  timesMax: 199,
});

export const R4_PARAMETERS_SHAPES = parameters(
  `active=true…~_sort=-name,lastChangeDate,_id…~_sort=lastChangeDate,-name&active=true…~` +
    `_format=xml…~${REVERSE_INCLUDES}…~name:contains=e,a,i,o,n,r,t,s,l,h…`,
  '&name:contains=the~&name:contains=ing,ent,and,ion~&roleCode:not=RO177~&activeRoleCode:not=RO76~' +
    '&lastChangeDate=ge2000~&_lastUpdated=ge2000~&type=RC1,RC2~&active=true,false~' +
    '&address-city:contains=ton~&address-postalcode=L,B,N,S~&address-country:contains=lan~&name=a,b,c',
);

export const R4_VALUES_SHAPES = values(
  'name:contains=…the~name=…the~address-postalcode=…LS1~identifier=…A81001~roleCode=…RO76~' +
    'roleCode:not=…RO76~lastChangeDate=…2020~_sort=-name&active=true&lastChangeDate=…2020~' +
    '_sort=…name',
  'the,~ing,~ent,~RO177,~RO76,~RO197,~ge2000,~lt2000,~2019-05,~A8,~L,~A81002,~lastChangeDate,',
);

export const AFFILIATION_SHAPES = parameters(
  `active=true…~${INCLUDES}…~participating-organization=Y54…~` +
    `participating-organization=Y54&active=true&${INCLUDES}…`,
  '&date=ne2000~&date=ge2010~&date=lt2010~&date=sa1990~&role:not=RE4~&role=RE4,RE5,RE6~' +
    '&active=true,false~&participating-organization=Y54',
);

export const ORD_SHAPES = values(
  'Limit=1000&Name=…the~Limit=1000&Roles=…RO76~Limit=1000&Status=Active&Roles=…RO76~' +
    'Limit=1000&RelStatus=inactive&RelTypeId=…RE4~' +
    'Limit=1000&TargetOrgId=Y54&RelTypeId=…RE4~Limit=1000&Name=and&RelTypeId=…RE4',
  'RO177,~RO197,~RE4,~RE5,~RE6,~a~ ~e ',
);

export const PATH_SHAPES = shapes(
  '/…~/STU3/…~/STU3/Organization/…~/OrderResponse/…~/OrderResponse/a/_history/…',
  '/~a~.~../~%2F~%zz~%00~//~$~_history/~a/~%CC%96',
);

export const PAGE_SHAPES = shapes(
  'q=…~q=leeds&town=…~q=a&role=…~…',
  'a~e+~the+~%20~+~a+b+c+d+~%CC%96%CC%81~%EF%AC%83~%zz~&role=177~&q=~1~LS1+~-~hospital+',
);

export const HEADER_SHAPES: Readonly<Record<string, Shapes>> = {
  accept: shapes(
    '…~text/html;…',
    'a~,~;~/~*/*,~;q=0.1~application/fhir+json,~"~ ~text/html;q=0,~=~a/b;c=d,',
  ),
  'content-type': shapes(
    '…~application/json;…~application/json; charset=…',
    'a~;~/~ ~"~charset=~; charset=utf-8~,~=',
  ),
  prefer: shapes('…~handling=…~return=…', 'a~,~;~=~"~ ~a=b,~handling=lenient;~\t'),
  'if-match': shapes('…~W/"…', '"~W/~,~ ~a~"a",~W/"1", ~*~\\'),
  'if-none-match': shapes('…~W/"…', '"~W/~,~ ~a~"a",~W/"1", ~*~\\'),
  'if-none-exist': shapes(
    '…~identifier=…~identifier=a|…~http://bench.test/OrderResponse?identifier=…~?…',
    'a~\\~\\\\~\\,~|~%7C~&~%zz~%zz&~a=b&~%5C%2C~+~ ~?',
  ),
  'if-modified-since': shapes('…~Mon, …', '1~ ~(~)~a~,~:~-~Jan '),
  'if-unmodified-since': shapes('…~Mon, …', '1~ ~(~)~a~,~:~-~Jan '),
  'accept-encoding': shapes('…', 'gzip~,~;q=~0~ ~*~a,~;'),
  authorization: shapes(
    '…~Bearer …~Basic …~Bearer eyJhbGciOiJFZERTQSJ9.…~Bearer eyJhbGciOiJFZERTQSJ9.….a',
    'a~.~ ~=~eyJ~-~_~\t~Bearer ~,',
  ),
};

const RELEASE =
  '<HSCOrgRefData:OrgRefData xmlns:HSCOrgRefData="http://refdata.hscic.gov.uk/org/v2-0-0">';

export const RELEASE_SHAPES = shapes(
  '…~@…~@<Organisations>…~@<Manifest><Version value="…"/>~@<!--…~'.replaceAll('@', RELEASE) +
    `${RELEASE}<Organisations><Organisation orgRecordClass="RC1"><Name>…</Name>`,
  'a~ ~\n~<~<a>~</a>~<a/>~ a="b"~&amp;~&#97;~&~<!--~-~-->~<![CDATA[~]~]]>~<?~?>~' +
    `<Organisation orgRecordClass="RC1">~</Organisation>~${MARKS}`,
);

const ORGANIZATION = '{"resourceType":"Organization","id":"A1"';

export const FHIR_LINE_SHAPES = shapes(
  (
    '…~@,"name":"…"}~@,…}~@,"address":[{"city":"…"}]}~@,"extension":[…]}~' +
    '@,"text":{"status":"generated","div":"<div>…</div>"}}'
  ).replaceAll('@', ORGANIZATION),
  `a~ ~\\u0061~[~{"a":~"a":1,~{},~"~\\~&amp;~<b>~<br/>~É~\r~${MARKS}~${EMOJI}`,
);
