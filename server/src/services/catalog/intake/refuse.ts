import { type Failure, fail } from '../../../platform/http/errors.ts'

/** A package that cannot be used, with the file in it that is to blame and what is wrong with it. */
export function refuse(reason: string, file?: string, details: Record<string, unknown> = {}): Failure {
  const named = file === undefined ? reason : `${shown(file)}: ${reason}`
  return fail('catalog.package-refused', {
    field: 'file',
    message: named,
    details: { ...details, reason, ...(file === undefined ? {} : { file: shown(file) }) },
  })
}

/** A name out of an archive can hold anything; people see it without control characters and not at any length. */
function shown(file: string): string {
  const clean = file.replace(/[\p{Cc}\p{Cf}]/gu, '?')
  return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean
}
