/** Result of a bench: the rows of a table, and notes that a reader needs to understand them. */
export interface Report {
  bench: string
  columns: string[]
  rows: (string | number)[][]
  notes: string[]
  /** False when a stated goal was missed; absent where there is none. */
  isGoalMet?: boolean
}

/** A table for the terminal: text to the left, numbers to the right. */
export function tableOf({ columns, rows }: Pick<Report, 'columns' | 'rows'>): string {
  const lines = [columns, ...rows].map((row) => row.map(String))
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  const isNumber = columns.map((_, at) => rows.every((row) => typeof row[at] === 'number'))
  const put = (cell: string, at: number) =>
    isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)
  const [head = '', ...body] = lines.map((line) => line.map(put).join('  ').trimEnd())
  return [head, widths.map((width) => '-'.repeat(width)).join('  '), ...body].join('\n')
}
