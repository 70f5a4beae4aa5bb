import type { CatalogSource } from '@quayside/contract/catalog/sources'
import { expect, vi } from 'vitest'
import type { Tries } from './tries.ts'
import type { Person, Tenant } from './two-teams.ts'

const nothing = 'nothing'

/** Tries of the calls about sources of the catalog. */
export function sourceTries({ source }: Tenant): Tries {
  const { id, name, kind, address } = source
  const [it, away] = [{ params: { id } }, { params: { id: nothing } }]
  const body = { name: 'Taken', kind, address, everyHours: null }
  const { name: _, ...looked } = body
  return {
    'GET /catalog/v1/sources': {},
    'GET /catalog/v1/sources/:id': it,
    'POST /catalog/v1/sources/test': { body: { ...looked, id } },
    'POST /catalog/v1/sources': { body, mild: { body: { ...body, name } }, isEmptyAbroad: true },
    'PUT /catalog/v1/sources/:id': { ...it, body, mild: { ...away, body } },
    'DELETE /catalog/v1/sources/:id': { ...it, mild: away },
    'POST /catalog/v1/sources/:id/synchronise': { ...it, mild: away },
    'GET /catalog/v1/sources/:id/runs': it,
    'GET /catalog/v1/sources/:id/runs/:runId': { params: { id, runId: source.lastRun?.id ?? nothing } },
  }
}

/** A source at which nobody answers, after its first run. */
export async function makeSource(admin: Person): Promise<CatalogSource> {
  const body = { name: 'Charts', kind: 'helm', address: 'https://charts.invalid', everyHours: null }
  const { id } = await admin.good<CatalogSource>('/catalog/v1/sources', { body })
  return vi.waitFor(
    async () => {
      const source = await admin.good<CatalogSource>(`/catalog/v1/sources/${id}`)
      expect(source.lastRun?.state).toBe('failed')
      return source
    },
    { timeout: 30_000, interval: 200 },
  )
}
