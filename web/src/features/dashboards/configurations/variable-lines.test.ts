import { expect, it } from 'vitest'
import { linesOfVariables, variablesIn } from './variable-lines.ts'

it('lines are variables, and the first that is none is named', () => {
  expect(variablesIn('team = shop\n\nurl=https://a.example.org/?q=1\nempty =')).toEqual({
    variables: { team: 'shop', url: 'https://a.example.org/?q=1', empty: '' },
    problem: undefined,
  })
  expect(variablesIn('team = shop\nno variable\n1st = a').problem).toMatch(/^“no variable” is not a variable/)
  const repeated = variablesIn('team = shop\nteam = other')
  expect(repeated).toEqual({ variables: { team: 'shop' }, problem: expect.stringContaining('“team = other”') })
})

it('variables come back from their lines', () => {
  const variables = { team: 'shop', url: 'https://a.example.org/?q=1', empty: '' }
  expect(variablesIn(linesOfVariables(variables)).variables).toEqual(variables)
})
