/** The first part of a call's summary, which says what it does: `Delete a group` of `Delete a group; its members stay`. */
export function callTitle(summary: string): string {
  return summary.split(/[;:]|, which | without | also /, 1)[0] ?? summary
}
