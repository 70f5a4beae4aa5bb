const leastInBase64 = 8
/** Least length of a text whose template transformations are looked for; shorter ones would match anywhere. */
const leastTurned = 6
const mostTurned = 256

/** A secret as logs and errors say it: plainly, quoted by us and by Go, for an address, and in base64 of a longer text. */
export function formsOf(secret: string): string[] {
  const quoted = JSON.stringify(secret).slice(1, -1)
  const forAddress = goQuery(secret)
  return [
    ...new Set([
      secret,
      quoted,
      // Quoted twice: the output of a hook, repeated by Helm.
      JSON.stringify(quoted).slice(1, -1),
      quoted.replace(/[<>&\u2028\u2029]/g, unicodeEscape),
      forAddress,
      forAddress.replaceAll('+', '%20'),
      encodeURIComponent(secret),
      ...base64FormsOf(secret),
      ...turnedFormsOf(secret),
    ]),
  ]
}

/** Forms that template functions make of a whole text and that still reveal it: letters, digits, order. */
function turnedFormsOf(secret: string): string[] {
  if (secret.length < leastTurned || secret.length > mostTurned) return []
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const twice = Buffer.from(bytes.toString('base64')).toString('base64').replace(/=+$/, '')
  const swapped = [...secret].map((sign) => (sign === sign.toUpperCase() ? sign.toLowerCase() : sign.toUpperCase()))
  const backwards = [...secret].reverse()
  return [
    ...[secret.toUpperCase(), secret.toLowerCase(), swapped.join(''), backwards.join('')],
    ...[hex, hex.toUpperCase(), twice, base32Of(bytes)],
  ]
}

function base32Of(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => base32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Whole, and what stays the same of it wherever it stands in a longer text. */
function base64FormsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const whole = bytes.toString('base64').replace(/=+$/, '')
  const inner = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return text.slice(before === 0 ? 0 : 4, Math.floor((before + bytes.length) / 3) * 4)
  })
  const forms = [whole, ...inner.filter((form) => form.length >= leastInBase64)]
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
}

function unicodeEscape(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The text as templates write it with `urlquery`. */
function goQuery(secret: string): string {
  return encodeURIComponent(secret)
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}
