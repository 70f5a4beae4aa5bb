import { expect, it } from 'vitest'
import { linesOfVariables, variablesIn } from './variable-lines.ts'

it('lines are variables, and the first that is none is named', () => {
  expect(variablesIn('team = shop\n\nurl=https://a.example.org/?q=1\nempty =')).toEqual({
    variables: { team: 'shop', url: 'https://a.example.org/?q=1', empty: '' },
    wrong: undefined,
  })
  expect(variablesIn('team = shop\nno variable\n1st = a').wrong).toBe('no variable')
  expect(variablesIn('team = shop\nteam = other')).toEqual({ variables: { team: 'shop' }, wrong: 'team = other' })
})

it('variables come back from their lines', () => {
  const variables = { team: 'shop', url: 'https://a.example.org/?q=1', empty: '' }
  expect(variablesIn(linesOfVariables(variables)).variables).toEqual(variables)
})
