import { type FieldError, invalidValue } from '../../field-error.ts'

const LEVELS = ['privileged', 'baseline', 'restricted'] as const
const MODES = ['enforce', 'audit', 'warn'] as const
const PREFIX = 'pod-security.kubernetes.io/'
const RELEASE = /^v1\.([0-9]|[1-9][0-9]*)$/

type Level = (typeof LEVELS)[number]

/** A level of the Pod Security Standards, as a minor release of Kubernetes 1 defines it. */
export interface Standard {
  level: Level
  release: number | 'latest'
}

/** The standard that holds in a namespace, by what becomes of a pod that does not meet it. */
export type NamespaceStandards = Record<(typeof MODES)[number], Standard>

const ANYTHING: Standard = { level: 'privileged', release: 'latest' }

export const shownStandard = ({ level, release }: Standard): string =>
  `${level}:${release === 'latest' ? release : `v1.${release}`}`

export const sameStandard = (a: Standard, b: Standard): boolean => a.level === b.level && a.release === b.release

/** Positive when `a` allows less than `b`. */
export const compareLevels = (a: Level, b: Level): number => LEVELS.indexOf(a) - LEVELS.indexOf(b)

const levelOf = (text: string): Level | undefined => LEVELS.find((level) => level === text)

function releaseOf(text: string): Standard['release'] | undefined {
  const minor = RELEASE.exec(text)?.[1]
  return text === 'latest' ? text : minor === undefined ? undefined : Number(minor)
}

/**
 * Reads the standards of a namespace from its labels. A level that cannot be read is the strictest for what is enforced
 * and the loosest for what is only told.
 */
export function namespaceStandards(labels: Readonly<Record<string, string>> = {}): {
  standards: NamespaceStandards
  errors: FieldError[]
} {
  const standards: NamespaceStandards = { enforce: { ...ANYTHING }, audit: { ...ANYTHING }, warn: { ...ANYTHING } }
  const errors: FieldError[] = []
  const complain = (label: string, value: string, why: string) =>
    errors.push(invalidValue(`metadata.labels[${label}]`, value, why))
  for (const mode of MODES) {
    const [levelLabel, releaseLabel] = [`${PREFIX}${mode}`, `${PREFIX}${mode}-version`]
    const [levelText, releaseText] = [labels[levelLabel], labels[releaseLabel]]
    if (levelText !== undefined) {
      const level = levelOf(levelText)
      if (!level) complain(levelLabel, levelText, `must be one of ${LEVELS.join(', ')}`)
      standards[mode].level = level ?? (mode === 'enforce' ? 'restricted' : 'privileged')
    }
    if (releaseText !== undefined) {
      const release = releaseOf(releaseText)
      if (release === undefined) complain(releaseLabel, releaseText, 'must be "latest" or "v1.x"')
      standards[mode].release = release ?? 'latest'
    }
  }
  warnOfWhatIsEnforced(standards, labels)
  return { standards, errors }
}

/** Without a label for warnings, warnings follow the enforced level where it is stricter than the default one. */
function warnOfWhatIsEnforced({ enforce, warn }: NamespaceStandards, labels: Readonly<Record<string, string>>): void {
  const enforced = levelOf(labels[`${PREFIX}enforce`] ?? '')
  if (labels[`${PREFIX}warn`] !== undefined || !enforced || compareLevels(enforced, warn.level) <= 0) return
  warn.level = enforced
  if (labels[`${PREFIX}warn-version`] === undefined) warn.release = enforce.release
}
