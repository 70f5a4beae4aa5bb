/** Reference rates of one day, each the amount of a currency that one euro is. */
interface DailyRates {
  asOf: string
  perEuro: ReadonlyMap<string, number>
}

const timeoutMs = 15_000
const mostBytes = 2 ** 20
const mostRates = 500

/** Reads a file in the form of the European Central Bank's daily reference rates (`eurofxref-daily.xml`). */
export function readEcbFile(text: string): DailyRates {
  const asOf = /<Cube\s[^<>]{0,200}\btime=['"](\d{4}-\d\d-\d\d)['"]/.exec(text)?.[1]
  if (asOf === undefined || Number.isNaN(Date.parse(asOf))) throw new Error('The file of exchange rates has no date.')
  const perEuro = new Map<string, number>()
  // A file of more days has the newest first; the others are left alone.
  const [, day = ''] = text.split(/<Cube\s[^<>]{0,200}\btime=[^<>]{0,200}>/)
  for (const [, currency = '', rate = ''] of day.matchAll(
    /<Cube\s+currency=['"]([A-Z]{3})['"]\s+rate=['"]([\d.]{1,20})['"]/g,
  )) {
    const value = Number(rate)
    if (value > 0 && Number.isFinite(value) && perEuro.size < mostRates) perEuro.set(currency, value)
  }
  if (perEuro.size === 0) throw new Error('The file of exchange rates has no rates.')
  return { asOf, perEuro }
}

export async function fetchEcbFile(url: string): Promise<DailyRates> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  if (!answer.ok) throw new Error(`The address of exchange rates answers ${answer.status}.`)
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of answer.body ?? []) {
    text += decoder.decode(part, { stream: true })
    if (text.length > mostBytes) throw new Error('The file of exchange rates is larger than 1 MiB.')
  }
  return readEcbFile(text)
}
