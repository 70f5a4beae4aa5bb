import { createHash } from 'node:crypto'
import type { VersionOf } from '../ports.ts'
import type { Values } from '../values/values.ts'

/** Tells whether two deployments of an app are of the same package with the same values. */
export function fingerprintOf({ version }: Pick<VersionOf, 'version'>, values: Values): string {
  return createHash('sha256')
    .update(`${version.digest}\n${canonical(values)}`)
    .digest('hex')
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, node: unknown) =>
    typeof node === 'object' && node !== null && !Array.isArray(node)
      ? Object.fromEntries(Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1)))
      : node,
  )
}
