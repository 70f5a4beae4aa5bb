import { type ActionContext, Cancelled } from '../action-context.ts'
import { grantStep, revokeStep } from './access.ts'
import { changeWorkloadStep } from './change-workload.ts'
import { clearStep } from './clear.ts'
import type { Findings, StepEnd } from './findings.ts'
import { goneStep } from './gone.ts'
import { helmStep } from './helm.ts'
import { leftoversStep } from './leftovers.ts'
import { namespaceStep } from './namespace.ts'
import { prepareStep } from './prepare.ts'
import type { StepName } from './steps.ts'

interface Step {
  reads: readonly (keyof Findings)[]
  gives: readonly (keyof Findings)[]
  run(context: ActionContext, findings: Findings): Promise<{ found: Partial<Findings>; failure?: unknown }>
}

/** A step gets the findings that it reads and no others, which is why it has to say which ones these are. */
function step<R extends keyof Findings = never, G extends keyof Findings = never>(
  { reads = [], gives = [] }: { reads?: readonly R[]; gives?: readonly G[] },
  work: (context: ActionContext, read: Pick<Findings, R>) => Promise<StepEnd<G>>,
): Step {
  const readable = (findings: Findings) =>
    Object.fromEntries(reads.map((name) => [name, findings[name]])) as Pick<Findings, R>
  return { reads, gives, run: (context, findings) => work(context, readable(findings)) }
}

/** Each step with the findings that it reads and those that it gives. */
export const stepTable: Readonly<Record<StepName, Step>> = {
  prepare: step({ gives: ['chartFile', 'rendered'] }, prepareStep),
  namespace: step({ gives: ['kubeconfig'] }, namespaceStep),
  grant: step({}, grantStep),
  helm: step({ reads: ['chartFile', 'rendered', 'kubeconfig', 'helm'], gives: ['helm'] }, helmStep),
  leftovers: step({}, leftoversStep),
  gone: step({ reads: ['helm'] }, goneStep),
  revoke: step({}, revokeStep),
  clear: step({}, clearStep),
  'change-workload': step({}, changeWorkloadStep),
}

interface PhaseEnd {
  findings: Findings
  /** In the order of the steps. */
  failures: readonly unknown[]
  /** Steps that a cancellation has cut: nobody knows how far they came. */
  cut: readonly StepName[]
}

/** Runs the steps of a phase at the same time and waits for every one: only then is it known what has to be taken back. */
export async function runPhase(
  context: ActionContext,
  phase: readonly StepName[],
  before: Findings,
): Promise<PhaseEnd> {
  const ends = await Promise.allSettled(phase.map((name) => stepTable[name].run(context, before)))
  let findings = before
  const failures: unknown[] = []
  const cut: StepName[] = []
  for (const [at, end] of ends.entries()) {
    const { found, failure } = end.status === 'fulfilled' ? end.value : { found: {}, failure: end.reason as unknown }
    findings = { ...findings, ...found }
    if (failure !== undefined) failures.push(failure)
    if (failure instanceof Cancelled) cut.push(phase[at] as StepName)
  }
  return { findings, failures, cut }
}
