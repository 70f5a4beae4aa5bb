import { maskSecrets, withoutSecrets } from '../secrets/mask-manifest.ts'

/** How much of a release somebody is shown. */
export interface ReleaseView {
  /** They may see which Secrets there are, without their values, and what the environment of pods is set to. */
  showsSecrets: boolean
}

/** A manifest that is compared before it is shown: who may not see secrets does not learn that one differs either. */
export function comparable(manifest: string, { showsSecrets }: ReleaseView): string {
  return showsSecrets ? manifest : withoutSecrets(manifest)
}

/** A rendered manifest as somebody is shown it; the values of Secrets nobody is. */
export function shownManifest(manifest: string, { showsSecrets }: ReleaseView): string {
  return showsSecrets ? maskSecrets(manifest) : withoutSecrets(manifest)
}
