/** A column of a file: its title, and the text of a row in it. */
export interface CsvColumn<T> {
  title: string
  text: (row: T) => string | number | null | undefined
}

/** A spreadsheet takes text that begins so for a formula. */
const formula = /^[=+\-@\t\r]/

function field(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value)
  const text = formula.test(value ?? '') ? `'${value}` : (value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as comma-separated values (RFC 4180), which a spreadsheet opens as UTF-8 and never runs. */
export function csvOf<T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string {
  const lines = [
    columns.map(({ title }) => field(title)),
    ...rows.map((row) => columns.map(({ text }) => field(text(row)))),
  ]
  return `\ufeff${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}
