import { expect, it } from 'vitest'
import { namesOf, stepIdOf, stepIds, stepsOf, stepsWithin } from './steps-of.ts'

it('gives every wizard its steps in order, each with an identifier of its own', () => {
  expect(namesOf('A')).toEqual(['General Information', 'Infrastructure', 'Summary', 'Deployment'])
  expect(namesOf('A-with-access')[2]).toBe('Access Management')
  expect(namesOf('B')).toEqual(['Select Version', 'Infrastructure', 'Summary', 'Deployment'])
  expect(namesOf('C')).toEqual(['Select Revision', 'Overview', 'Deployment'])
  expect(namesOf('D')).toEqual(['Delete Deployment', 'Deployment'])
  expect(namesOf('E')).toEqual(['Assign', 'DATA', 'Summary', 'Result'])
  expect(namesOf('F')).toEqual(['Select Version', 'DATA', 'Deployment'])
  for (const steps of Object.values(stepsOf)) expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length)
})

it('has Cost Control before the summary where the budget is exceeded, and nowhere else', () => {
  const ids = (isOver: boolean) => stepsWithin('A-with-access', isOver).map(({ id }) => id)
  expect(ids(true)).toEqual([
    ...['AssignDeployment', 'ValuesYaml', 'GroupAssign', 'CostControl', 'Summary', 'InstallDeployment'],
  ])
  expect(ids(false)).toEqual(stepsOf['A-with-access'].map(({ id }) => id))
  expect(stepsWithin('F', true)).toBe(stepsOf.F)
})

it('knows a step by its name', () => {
  expect(stepIdOf('Infrastructure')).toBe('ValuesYaml')
  expect(stepIdOf('Result')).toBe('InstallDeployment')
  expect(stepIdOf('nothing')).toBeUndefined()
  expect(stepIds).toHaveLength(12)
})
