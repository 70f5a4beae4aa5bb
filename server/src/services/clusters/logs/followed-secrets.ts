import type { Release } from '../../../adapters/helm/release.ts'
import type { Access } from '../../../platform/auth/rights.ts'
import { forbidden } from '../../../platform/auth/rights.ts'

interface Following {
  /** Rights of the reader when they begin. */
  access: Pick<Access, 'scopes'>
  /** The reader's rights now; throws when they may not read any more. */
  mustStillBeAllowed(): Promise<Pick<Access, 'scopes'>>
  /** The release as it is now; undefined: there is none. */
  release(): Promise<Release | undefined>
  redactor(release: Release): Promise<(text: string) => string>
}

/** Hides the secrets of a release from somebody who follows what is said of it, for as long as they do. */
export async function createHidden({ access, mustStillBeAllowed, release, redactor }: Following) {
  const showsSecrets = access.scopes.has('app.secrets')
  let known: Release | undefined
  let hide = (text: string) => text

  /** An upgrade can bring secrets that were not there before. */
  async function learn(): Promise<void> {
    const now = await release()
    if (now === undefined || now.revision === known?.revision) return
    hide = await redactor(now)
    known = now
  }

  if (!showsSecrets) await learn()
  return {
    hide: showsSecrets ? undefined : (text: string) => hide(text),

    /** Throws for who may not go on: what was shown to them so far would be hidden from them now. */
    async lookAgain(): Promise<void> {
      const { scopes } = await mustStillBeAllowed()
      if (showsSecrets && !scopes.has('app.secrets')) throw forbidden([{ scope: 'app.secrets' }])
      // While the cluster is away nothing comes from it that had to be hidden.
      if (!showsSecrets) await learn().catch(() => undefined)
    },
  }
}
