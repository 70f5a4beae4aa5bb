import { expect, test } from 'vitest'
import { stepTable } from './step-table.ts'
import { phasesOf, type StepName, stateOf } from './steps.ts'

test('an install grants access before Helm runs, while the package and the namespace are made ready', () => {
  expect(phasesOf('Deploy', true)).toEqual([['prepare', 'namespace', 'grant'], ['helm']])
})

test('a deletion sees to leftovers and access after the release is gone, and touches no cluster when there is no release', () => {
  expect(phasesOf('Delete', true)).toEqual([['namespace'], ['helm'], ['leftovers'], ['gone'], ['revoke']])
  expect(phasesOf('Delete', false)).toEqual([])
})

test('upgrade and rollback change access before Helm runs too: a revision keeps whom it lets in', () => {
  for (const kind of ['Upgrade', 'Rollback'] as const)
    expect([phasesOf(kind, true)[0]?.includes('grant'), phasesOf(kind, true)[1]]).toEqual([true, ['helm']])
})

test('every phase shows as a state of the ledger', () => {
  expect(phasesOf('Deploy', true).map(stateOf)).toEqual(['preparing', 'helm'])
  expect(phasesOf('Delete', true).map(stateOf)).toEqual(['namespace', 'helm', 'verifying', 'verifying', 'iam'])
})

test('a step reads nothing that a step of its own phase or a later one gives', () => {
  const kinds = [
    'Prepare',
    'Deploy',
    'Upgrade',
    'Rollback',
    'Repair',
    'DeleteSpace',
    'DeregisterCluster',
    'Delete',
  ] as const
  const given = (names: readonly StepName[]) => names.flatMap((name) => stepTable[name].gives)
  for (const kind of kinds) {
    const phases = phasesOf(kind, true)
    for (const [at, phase] of phases.entries()) {
      const beside = (name: StepName) => phase.filter((each) => each !== name)
      for (const name of phase) {
        const tooLate = new Set([...given(beside(name)), ...given(phases.slice(at + 1).flat())])
        expect(
          stepTable[name].reads.filter((each) => tooLate.has(each)),
          `${kind}: ${name}`,
        ).toEqual([])
      }
    }
  }
})
