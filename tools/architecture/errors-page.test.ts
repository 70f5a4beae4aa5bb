import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCatalogue } from '@quayside/contract/http/errors'
import { describe, expect, it } from 'vitest'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/errors.md'), 'utf8')
const rows = page.split('\n').filter((line) => line.startsWith('| `'))

describe('docs/errors.md', () => {
  it('lists exactly the errors of the catalogue, with their status and sentence', () => {
    const said = Object.entries(errorCatalogue).map(
      ([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
    )
    expect(rows).toEqual(said)
  })
})
