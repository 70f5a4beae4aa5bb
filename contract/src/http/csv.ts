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

/** The first line of a file, after the mark by which a spreadsheet knows UTF-8. */
export function csvHead<T>(columns: readonly CsvColumn<T>[]): string {
  return `\ufeff${lineOf(columns.map(({ title }) => title))}`
}

/** One row as a line of the file. */
export function csvLine<T>(columns: readonly CsvColumn<T>[], row: T): string {
  return lineOf(columns.map(({ text }) => text(row)))
}

/** Rows as comma-separated values (RFC 4180), which a spreadsheet opens as UTF-8 and never runs. */
export function csvOf<T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string {
  return [csvHead(columns), ...rows.map((row) => csvLine(columns, row))].join('')
}

const lineOf = (values: readonly (string | number | null | undefined)[]) => `${values.map(field).join(',')}\r\n`
