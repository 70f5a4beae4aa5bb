import { expect, it } from 'vitest'
import { answerIn, isStaleAnswer } from './session.ts'

it.each([
  ['https://portal.example/en/?code=c&state=s', true],
  ['https://portal.example/en/?error=access_denied&state=s', true],
  ['https://portal.example/en/apps?state=failed', false],
  ['https://portal.example/en/apps?code=7', false],
])('%s carries an answer: %s', (href, answered) => {
  expect(answerIn(href) !== undefined).toBe(answered)
})

it('starts anew only for an answer that is not ours any more', () => {
  expect(isStaleAnswer(new Error('No matching state found in storage'))).toBe(true)
  expect(isStaleAnswer(new Error('Internal Server Error (500)'))).toBe(false)
  expect(isStaleAnswer(new Error('access_denied'))).toBe(false)
})
