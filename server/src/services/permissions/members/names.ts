import type { NamedPrincipal } from '@quayside/contract/permissions/permission-entry'
import { createSemaphore } from '../../../platform/concurrency/semaphore.ts'
import { Failure } from '../../../platform/http/errors.ts'

type Kind = NamedPrincipal['type']
export type PrincipalName = Pick<NamedPrincipal, 'type' | 'id' | 'name' | 'detail'>

/** A person as something was written down with them. */
export interface Given {
  id: string | null
  name: string
}

/** Names of people, groups and roles from the tenant's directory. */
export interface Directory {
  /** Undefined when there is none. */
  principal(realm: string, principal: { type: Kind; id: string }): Promise<PrincipalName | undefined>
  search(realm: string, text: string, most: number): Promise<PrincipalName[]>
}

const rememberedMs = 20_000
const mostRemembered = 5000
const askedAtOnce = 6

/** Catches that the identity server is away, and answers something else then; any other error is thrown on. */
export function whenAway<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Failure && error.code === 'iam.unreachable') return instead
    throw error
  }
}

/** How principals are called, remembered for a while: a list of a hundred entries is no hundred questions each time. */
export function createNames(directory: Directory) {
  const known = new Map<string, { at: number; called: Promise<PrincipalName | undefined> }>()
  const slots = createSemaphore(askedAtOnce)

  async function ask(realm: string, principal: { type: Kind; id: string }): Promise<PrincipalName | undefined> {
    const end = await slots.acquire()
    try {
      return await directory.principal(realm, principal)
    } finally {
      end()
    }
  }

  function of(realm: string, principal: { type: Kind; id: string }): Promise<PrincipalName | undefined> {
    const key = `${realm} ${principal.type} ${principal.id}`
    const hit = known.get(key)
    if (hit && performance.now() - hit.at < rememberedMs) return hit.called
    const called = ask(realm, principal)
    known.delete(key)
    known.set(key, { at: performance.now(), called })
    called.then(
      (found) => found ?? known.delete(key),
      () => known.delete(key),
    )
    if (known.size > mostRemembered) known.delete(known.keys().next().value ?? '')
    return called
  }

  return {
    of,
    /** Names for a list; when the identity server is away, those that they had when they were put on it. */
    ofAll(realm: string, entries: readonly PrincipalName[]): Promise<NamedPrincipal[]> {
      return Promise.all(
        entries.map(({ type, id, name, detail }) =>
          of(realm, { type, id })
            .then((found) => ({
              ...{ type, id, name: found?.name ?? name, detail: found?.detail ?? detail },
              isGone: found === undefined,
            }))
            .catch(whenAway({ type, id, name, detail, isGone: false })),
        ),
      )
    },
    /** People by their ids; those who are gone keep the given name, as all do while the identity server is away. */
    async people(realm: string, given: readonly Given[]): Promise<(person: Given) => PrincipalName> {
      const byId = new Map(given.flatMap(({ id, name }) => (id === null ? [] : [[id, name] as const])))
      const found = await Promise.all(
        [...byId].map(async ([id, name]) => {
          const called = await of(realm, { type: 'user', id }).catch(whenAway(undefined))
          return [id, called ?? { type: 'user', id, name, detail: null }] as const
        }),
      )
      const known = new Map<string, PrincipalName>(found)
      return ({ id, name }) => known.get(id ?? '') ?? { type: 'user', id: id ?? '', name, detail: null }
    },
    async search(realm: string, text: string, most: number): Promise<NamedPrincipal[]> {
      return (await directory.search(realm, text, most)).map((called) => ({ ...called, isGone: false }))
    },
  }
}
export type Names = ReturnType<typeof createNames>
