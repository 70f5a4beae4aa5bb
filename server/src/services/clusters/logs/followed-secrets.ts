import type { Release } from '../../../adapters/helm/release.ts'
import type { Access } from '../../../platform/auth/rights.ts'
import { forbidden } from '../../../platform/auth/rights.ts'

interface Following {
  /** Rights of the reader when they begin. */
  access: Pick<Access, 'scopes'>
  /** The reader's rights now; throws when they may not read any more. */
  mustStillBeAllowed(): Promise<Pick<Access, 'scopes'>>
  redactor(appId: string, release: Release): Promise<(text: string) => string>
}

type Hide = (text: string) => string

/** Hides the secrets of releases from somebody who follows what is said of them, for as long as they do. */
export function createHidden({ access, mustStillBeAllowed, redactor }: Following) {
  const showsSecrets = access.scopes.has('app.secrets')
  const known = new Map<string, { revision: number; hide: Hide }>()

  return {
    /** Learns the secrets of a release as it is now: an upgrade can bring some that were not there before. */
    async learn(appId: string, release: Release | undefined): Promise<void> {
      if (showsSecrets || release === undefined || release.revision === known.get(appId)?.revision) return
      known.set(appId, { revision: release.revision, hide: await redactor(appId, release) })
    },

    /** Hides in texts about an app; undefined for who may see its secrets. */
    hideOf: (appId: string): Hide | undefined =>
      showsSecrets ? undefined : (text) => known.get(appId)?.hide(text) ?? text,

    /** Throws for who may not go on: what was shown to them so far would be hidden from them now. */
    async mustStillRead(): Promise<void> {
      const { scopes } = await mustStillBeAllowed()
      if (showsSecrets && !scopes.has('app.secrets')) throw forbidden([{ scope: 'app.secrets' }])
    },
  }
}
export type Hidden = ReturnType<typeof createHidden>
