import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JWK } from 'jose'
import type { Provider } from 'oidc-provider'
import type { Outbound } from '../brokering/outbound.ts'
import { findRealm, type Realm } from '../directory/realms.ts'
import type { Db } from '../storage/database.ts'
import { createProvider } from './provider.ts'
import { signingKeys } from './signing-keys.ts'

/** One realm, ready to answer: its settings, its keys and its protocol engine. */
export interface RealmHost {
  realm: Realm
  issuer: string
  keys: JWK[]
  provider: Provider
  /** Foreign servers that may be asked. */
  outbound: Outbound
  answer: (req: IncomingMessage, res: ServerResponse) => Promise<void>
}

export interface RealmHosts {
  outbound: Outbound
  find(name: string): Promise<RealmHost | undefined>
  /** The realm or something about its keys changed: the next request builds it anew. */
  forget(name: string): void
}

/** Realms are made ready when first asked for, and kept. */
export function realmHosts(db: Db, publicUrl: string, report: (error: Error) => void, outbound: Outbound): RealmHosts {
  const ready = new Map<string, Promise<RealmHost | undefined>>()

  const build = async (name: string): Promise<RealmHost | undefined> => {
    const realm = await findRealm(db, name)
    if (!realm) return undefined
    const keys = await signingKeys(db, realm.id)
    const issuer = `${publicUrl}/realms/${realm.name}`
    const provider = createProvider({ db, realm, issuer, keys, report })
    return { realm, issuer, keys, provider, outbound, answer: provider.callback() }
  }

  return {
    outbound,
    async find(name) {
      const known = ready.get(name)
      if (known) return known
      const building = build(name)
      ready.set(name, building)
      const drop = () => ready.get(name) === building && ready.delete(name)
      const host = await building.catch((error: unknown) => {
        drop()
        throw error
      })
      // An unknown name is not remembered: names can be invented without end.
      if (!host) drop()
      return host
    },
    forget: (name) => void ready.delete(name),
  }
}
