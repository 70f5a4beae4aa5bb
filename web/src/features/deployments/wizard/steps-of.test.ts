import { expect, it } from 'vitest'
import { namesOf, stepIdOf, stepIds, stepsOf } from './steps-of.ts'

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

it('knows a step by its name', () => {
  expect(stepIdOf('Infrastructure')).toBe('ValuesYaml')
  expect(stepIdOf('Result')).toBe('InstallDeployment')
  expect(stepIdOf('nothing')).toBeUndefined()
  expect(stepIds).toHaveLength(12)
})
