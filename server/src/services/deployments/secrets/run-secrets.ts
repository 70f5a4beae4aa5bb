import { ManifestUnreadableError } from '../../../adapters/helm/manifest.ts'
import type { ReleaseRevision } from '../ports.ts'
import { readRelease } from '../releases/reading/release-pool.ts'
import type { secretsOfRelease } from './chart-secrets.ts'
import { createSecretRedactor } from './secret-redactor.ts'

type MadeRelease = Parameters<typeof secretsOfRelease>[0] & Pick<ReleaseRevision, 'revision'>

/** Secrets known to one run of an action, and the functions that hide them in texts. */
export interface RunSecrets {
  /** Hides every secret value learnt so far. */
  hide(text: string): string
  /**
   * The same for a text that a chart may have made: nothing of it is left when its secrets are too many to look for.
   */
  redactUntrusted(text: string): string
  learn(texts: readonly string[]): void
  /** Learns the values that a revision keeps in Secrets, also those made up by its chart. */
  learnRelease(release: MadeRelease): Promise<void>
  /** The newest revision that was learnt. */
  newest(): number
  /** Tells whether hooks that were learnt have Helm print what they say. */
  hooksPrint(): boolean
}

export const notShown = 'What was said is not shown: the release holds more secret data than can be looked for in it'

export function createRunSecrets(): RunSecrets {
  const { learn, hide } = createSecretRedactor()
  const learnt = new Set<number>()
  let isTooMuch = false
  let hooksPrint = false
  return {
    hide,
    redactUntrusted: (text) => (isTooMuch ? notShown : hide(text)),
    learn: (texts) => learn(texts),
    async learnRelease(release) {
      if (learnt.has(release.revision)) return
      const found = await secretsOf(release)
      learnt.add(release.revision)
      hooksPrint ||= release.hooks.some(({ manifest }) => manifest.includes('helm.sh/hook-output-log-policy'))
      isTooMuch ||= found.isTooMuch
      if (!found.isTooMuch) learn(found.texts, 'as words')
    },
    newest: () => Math.max(0, ...learnt),
    hooksPrint: () => hooksPrint,
  }
}

/** Secrets of a release that cannot be read are too many to look for. */
async function secretsOf({ name, namespace, chart, manifest, hooks }: MadeRelease) {
  const length = hooks.reduce((sum, hook) => sum + hook.manifest.length, manifest.length)
  try {
    return await readRelease('secrets', { name, namespace, chart, manifest, hooks }, length)
  } catch (error) {
    if (!(error instanceof ManifestUnreadableError)) throw error
    return { texts: [], isTooMuch: true }
  }
}
