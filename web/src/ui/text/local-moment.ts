/** A moment as a date field shows it, in the reader's time zone: '2026-11-24T14:00'. */
export function localOf(iso: string): string {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
