import { texts } from '../texts.ts'
import type { WizardName } from '../wizard-for.ts'

/** The identifiers of steps that the specification names, in its order. */
export const stepIds = [
  'Start',
  'Data',
  'AssignDeployment',
  'VersionSelect',
  'GroupAssign',
  'ValuesYaml',
  'Deploy',
  'CostControl',
  'Summary',
  'InstallDeployment',
  'RevisionSelect',
  'RollbackOverview',
] as const
export type StepId = (typeof stepIds)[number]

interface StepOf {
  id: StepId
  name: string
}

const assign: StepOf = { id: 'AssignDeployment', name: texts.general.step }
const values: StepOf = { id: 'ValuesYaml', name: texts.infrastructure.step }
const access: StepOf = { id: 'GroupAssign', name: texts.access.step }
const costControl: StepOf = { id: 'CostControl', name: texts.costControl.step }
const summary: StepOf = { id: 'Summary', name: texts.summary.step }
const data: StepOf = { id: 'Data', name: texts.data.step }
const version: StepOf = { id: 'VersionSelect', name: texts.selectVersion.step }
const progress: StepOf = { id: 'InstallDeployment', name: texts.progress.step }

/** Every step of every wizard, in the order in which they follow each other. */
export const stepsOf: Record<Exclude<WizardName, 'generic-delete'>, readonly StepOf[]> = {
  A: [assign, values, summary, progress],
  'A-with-access': [assign, values, access, summary, progress],
  B: [version, values, summary, progress],
  C: [
    { id: 'RevisionSelect', name: texts.selectRevision.step },
    { id: 'RollbackOverview', name: texts.overview.step },
    progress,
  ],
  D: [{ id: 'Start', name: texts.remove.step }, progress],
  E: [
    { id: 'AssignDeployment', name: texts.serverless.assign },
    data,
    summary,
    { id: 'InstallDeployment', name: texts.serverless.result },
  ],
  F: [version, data, progress],
}

/** Steps with Cost Control before the summary, where a deployment goes beyond the budget of its space. */
export function stepsWithin(wizard: keyof typeof stepsOf, isOver: boolean): readonly StepOf[] {
  const steps = stepsOf[wizard]
  const at = steps.indexOf(summary)
  return isOver && at >= 0 ? steps.toSpliced(at, 0, costControl) : steps
}

export function namesOf(wizard: keyof typeof stepsOf): string[] {
  return stepsOf[wizard].map(({ name }) => name)
}

const idByName = new Map([...Object.values(stepsOf).flat(), costControl].map(({ id, name }) => [name, id]))

/** The identifier of the step that a wizard shows under this name. */
export function stepIdOf(name: string | undefined): StepId | undefined {
  return name === undefined ? undefined : idByName.get(name)
}
