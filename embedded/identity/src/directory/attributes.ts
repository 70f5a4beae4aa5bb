import { badRequest } from '../http/problem.ts'

/** Attributes map a name to a list of texts; undefined means that none were sent. */
export function readAttributes(sent: unknown): Record<string, string[]> | undefined {
  if (sent === undefined || sent === null) return undefined
  if (typeof sent !== 'object' || Array.isArray(sent)) throw badRequest('attributes must map names to lists of texts')
  const attributes: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(sent)) {
    if (name === '__proto__' || value === null) continue
    const values = Array.isArray(value) ? value : [value]
    if (!values.every((entry) => typeof entry === 'string')) throw badRequest(`attribute ${name} must hold texts`)
    attributes[name] = values
  }
  return attributes
}
