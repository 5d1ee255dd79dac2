/** Lines that load a report in other programs. */

export interface ReportSample {
  readonly id: string;
  readonly program: string;
  readonly text: string;
}

/** `getReport` is the absolute address of the reports, without a query. */
export function reportSamples(getReport: string): readonly ReportSample[] {
  const url = `${getReport}?report=epraccur&headers=true`;
  return [
    { id: 'curl', program: 'curl', text: `curl '${url}' --output epraccur.csv` },
    { id: 'python', program: 'Python (pandas)', text: pandas(url) },
    { id: 'r', program: 'R', text: `epraccur <- read.csv("${url}",\n  ${R_OPTIONS})` },
    { id: 'power-query', program: 'Power Query (Excel, Power BI)', text: powerQuery(getReport) },
  ];
}

/** Codes and telephone numbers are text: numbers would lose their zeros. */
function pandas(url: string): string {
  return `import pandas as pd

epraccur = pd.read_csv(
    "${url}",
    dtype=str,
    keep_default_na=False,
)`;
}

const R_OPTIONS = 'colClasses = "character", check.names = FALSE, na.strings = NULL';

function powerQuery(getReport: string): string {
  return `let
    Source = Web.Contents("${getReport}", [Query = [report = "epraccur", headers = "true"]]),
    Lines = Csv.Document(Source, [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]),
    Practices = Table.PromoteHeaders(Lines, [PromoteAllScalars = false])
in
    Practices`;
}
