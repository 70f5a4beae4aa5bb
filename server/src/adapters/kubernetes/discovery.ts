import { z } from 'zod'
import { KubeRefusal, type Transport } from './transport.ts'

interface ServedKind {
  resource: string
  namespaced: boolean
}

const ResourceList = z.looseObject({
  resources: z.array(z.looseObject({ name: z.string(), kind: z.string(), namespaced: z.boolean() })).nullish(),
})
const keptMs = 10 * 60_000
/** A kind that was missing may come with a chart at any moment. */
const missingKeptMs = 5000

interface Entry {
  at: number
  kinds: Promise<Map<string, ServedKind> | undefined>
}

/** The kinds that the API serves, by group and version; asked once and kept for a while. */
export function createDiscovery(transport: Transport, now: () => number = Date.now) {
  const known = new Map<string, Entry>()

  async function read(apiVersion: string): Promise<Map<string, ServedKind> | undefined> {
    try {
      const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
      const list = ResourceList.parse(await transport.json({ path }))
      const kinds = new Map<string, ServedKind>()
      for (const { name, kind, namespaced } of list.resources ?? []) {
        if (!name.includes('/')) kinds.set(kind, { resource: `${apiVersion}/${name}`, namespaced })
      }
      return kinds
    } catch (error) {
      if (error instanceof KubeRefusal && error.httpStatus === 404) return undefined
      throw error
    }
  }

  function entryOf(apiVersion: string, maxAge: number): Entry {
    const entry = known.get(apiVersion)
    if (entry && now() - entry.at < maxAge) return entry
    const fresh = { at: now(), kinds: read(apiVersion) }
    if (known.size > 500) known.clear()
    known.set(apiVersion, fresh)
    fresh.kinds.catch(() => known.delete(apiVersion))
    return fresh
  }

  return async function resourceOf(apiVersion: string, kind: string): Promise<ServedKind | undefined> {
    if (!/^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\/)?[a-z0-9]{1,63}$/.test(apiVersion)) return undefined
    const found = (await entryOf(apiVersion, keptMs).kinds)?.get(kind)
    return found ?? (await entryOf(apiVersion, missingKeptMs).kinds)?.get(kind)
  }
}
