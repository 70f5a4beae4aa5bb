import { tokenPrefix } from '@quayside/contract/personal-tokens/limits'

const mark = '(secret)'
/** Shorter ones would blacken ordinary words. */
const shortest = 6

/** Forms that secrets have wherever they come from: bearer tokens, JWTs, personal tokens, keys in PEM, passwords in addresses. */
const forms: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, mark],
  [/\beyJ[\w-]{8,}\.[\w-]+(\.[\w-]*)?/g, mark],
  [new RegExp(`\\b${tokenPrefix}\\w{20,}`, 'g'), mark],
  [/\b(bearer|basic)(\s+)[\w.~+/=-]{6,}/gi, `$1$2${mark}`],
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, `$1${mark}@`],
  [
    /((?:password|passwd|secret|token|client[-_]?key[-_a-z]*|api[-_]?key)["']?\s*[:=]\s*["']?)[^\s"',;&}]{6,}/gi,
    `$1${mark}`,
  ],
]

/** Makes a text safe to hand on: without these secrets, however they are spelled, and without what looks like one. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const spelled = new Set(secrets.filter((secret) => secret.length >= shortest).flatMap(spellings))
  const longestFirst = [...spelled].sort((a, b) => b.length - a.length)
  return (text) => {
    let clean = text
    for (const secret of longestFirst) clean = clean.replaceAll(secret, mark)
    for (const [form, instead] of forms) clean = clean.replace(form, instead)
    return clean
  }
}

/** A secret as it is, in JSON, in an address and in base64. */
function spellings(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64')
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), base64.replace(/=+$/, '')]
}
