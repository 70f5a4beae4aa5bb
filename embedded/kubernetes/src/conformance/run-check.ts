import type { Check } from './check.ts'
import { openScope, Skipped } from './scope.ts'
import type { Target } from './target.ts'

export interface Outcome {
  readonly check: Check
  readonly result: 'passed' | 'failed' | 'skipped'
  /** Why it failed or was skipped. */
  readonly why?: string
  readonly milliseconds: number
}

const DEADLINE = 95_000

const LACKS: Record<NonNullable<Check['needs']>, string> = {
  controllers: 'no controllers run in this cluster',
  nodes: 'this cluster has no node that is ready',
  metrics: 'metrics.k8s.io is not served',
  past: 'this cluster is too young to have forgotten anything',
  sandbox: 'this cluster is not the Sandbox',
}

/** Why a check cannot be made on this cluster; undefined when it can. */
export const lackOf = ({ needs }: Check, target: Target): string | undefined =>
  needs && !target.has.has(needs) ? LACKS[needs] : undefined

async function withDeadline(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new Error(`not done after ${DEADLINE / 1000} s`)), DEADLINE)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Makes one check in a scope of its own, and clears up behind it. */
export async function runCheck(check: Check, target: Target): Promise<Outcome> {
  const lack = lackOf(check, target)
  if (lack) return { check, result: 'skipped', why: lack, milliseconds: 0 }
  const since = performance.now()
  const outcome = (result: Outcome['result'], why?: string): Outcome => ({
    check,
    result,
    ...(why === undefined ? {} : { why }),
    milliseconds: performance.now() - since,
  })
  try {
    const { scope, close } = await openScope(target)
    try {
      await withDeadline(check.run(scope))
    } finally {
      await close()
    }
    return outcome('passed')
  } catch (error) {
    if (error instanceof Skipped) return outcome('skipped', error.message)
    return outcome('failed', error instanceof Error ? error.message : String(error))
  }
}

/** Makes all checks, so many at a time; tells of each as it ends. */
export async function runChecks(
  checks: readonly Check[],
  target: Target,
  { atOnce = 8, tell = (_: Outcome) => {} } = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const make = async (isEarly: boolean) => {
    const queue = checks.entries()
    const worker = async () => {
      for (const [index, check] of queue) {
        if ((check.isEarly ?? false) !== isEarly) continue
        const outcome = await runCheck(check, target)
        outcomes[index] = outcome
        tell(outcome)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  }
  await make(true)
  await make(false)
  return outcomes
}
