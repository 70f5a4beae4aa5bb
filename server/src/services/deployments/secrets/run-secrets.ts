import type { ReleaseRevision } from '../ports.ts'
import { secretsOfRelease } from './chart-secrets.ts'
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
  learnRelease(release: MadeRelease): void
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
    learnRelease(release) {
      if (learnt.has(release.revision)) return
      const found = secretsOfRelease(release)
      learnt.add(release.revision)
      hooksPrint ||= release.hooks.some(({ manifest }) => manifest.includes('helm.sh/hook-output-log-policy'))
      isTooMuch ||= found.isTooMuch
      if (!found.isTooMuch) learn(found.texts, 'as words')
    },
    newest: () => Math.max(0, ...learnt),
    hooksPrint: () => hooksPrint,
  }
}
