import { expect, it } from 'vitest'
import { stateLookOf } from './state-look.ts'

it.each([
  ['healthy', 'ok', 'Healthy'],
  ['Success', 'ok', 'Success'],
  ['deploying', 'busy', 'Deploying'],
  ['degraded', 'warn', 'Degraded'],
  ['unreachable', 'bad', 'Unreachable'],
  ['assigned', 'still', 'Not deployed'],
  ['', 'still', 'Unknown'],
])('%s looks %s and reads %s', (state, look, word) => {
  expect(stateLookOf(state)).toEqual({ look, word })
})
