/** A two-column table for the terminal, as wide as it needs to be. */
export function summaryTable(rows: [label: string, value: string][]): string {
  const labels = Math.max(...rows.map(([label]) => label.length))
  const values = Math.max(...rows.map(([, value]) => value.length))
  const edge = (left: string, middle: string, right: string) =>
    `${left}${'─'.repeat(labels + 2)}${middle}${'─'.repeat(values + 2)}${right}`
  const lines = rows.map(([label, value]) => `│ ${label.padEnd(labels)} │ ${value.padEnd(values)} │`)
  return [edge('┌', '┬', '┐'), ...lines, edge('└', '┴', '┘')].join('\n')
}
