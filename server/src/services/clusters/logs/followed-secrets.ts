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

/** Helm keeps no more of a release. */
const mostRevisions = 10
const notShown = '••••••••'

/** Hides the secrets of releases from somebody who follows what is said of them, for as long as they do. */
export function createHidden({ access, mustStillBeAllowed, redactor }: Following) {
  const showsSecrets = access.scopes.has('app.secrets')
  /** By app, and by revision and time: a release that was installed anew counts from 1 again. */
  const known = new Map<string, Map<string, Hide>>()
  const unknown = new Set<string>()

  async function learnOne(appId: string, release: Release): Promise<void> {
    const revisions = known.get(appId) ?? new Map<string, Hide>()
    const key = `${release.revision} ${release.updatedAt}`
    if (revisions.has(key)) return
    revisions.set(key, await redactor(appId, release))
    const [oldest] = revisions.keys()
    if (revisions.size > mostRevisions && oldest !== undefined) revisions.delete(oldest)
    known.set(appId, revisions)
  }

  return {
    showsSecrets,

    /**
     * Learns the secrets of an app from its revisions that may speak. Those of revisions before stay hidden: their
     * containers may still run. Where they cannot be learned, nothing that the app says is shown.
     */
    async learn(appId: string, releases: () => Promise<readonly Release[]>): Promise<void> {
      if (showsSecrets) return
      try {
        for (const release of await releases()) await learnOne(appId, release)
        unknown.delete(appId)
      } catch (error) {
        unknown.add(appId)
        throw error
      }
    },

    /** Hides in texts about an app; undefined for who may see its secrets. */
    hideOf(appId: string): Hide | undefined {
      if (showsSecrets) return undefined
      return (text) => {
        const revisions = known.get(appId)
        if (revisions === undefined || unknown.has(appId)) return text.replace(/[^\n]+/g, notShown)
        return [...revisions.values()].reduce((hidden, hide) => hide(hidden), text)
      }
    },

    /** Throws for who may not go on: what was shown to them so far would be hidden from them now. */
    async mustStillRead(): Promise<void> {
      const { scopes } = await mustStillBeAllowed()
      if (showsSecrets && !scopes.has('app.secrets')) throw forbidden([{ scope: 'app.secrets' }])
    },
  }
}
export type Hidden = ReturnType<typeof createHidden>
