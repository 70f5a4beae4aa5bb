import { expect, it } from 'vitest'
import { outcomeOf } from './outcome.ts'

const brief = 'hooks.example.org answers with status 500.'
const says = 'hooks.example.org answers with status 500: “Crane has no image”'
const refused = { isDelivered: false, status: 500, says, brief }

it('attempts are made after ten seconds, a minute, five, thirty and two hours, and then no more', () => {
  const next = [0, 1, 2, 3, 4, 5].map((before) => outcomeOf(refused, before, 0).nextInSeconds)
  expect(next).toEqual([10, 60, 300, 1800, 7200, null])
  expect(outcomeOf(refused, 5, 0)).toMatchObject({
    state: 'failed',
    givenUp: 1,
    offReason: null,
    says: `${says} Given up after 6 attempts.`,
  })
})

it('the tenth event in a row that is given up switches the webhook off, and one that arrives begins to count anew', () => {
  expect(outcomeOf(refused, 5, 8).offReason).toBeNull()
  expect(outcomeOf(refused, 5, 9)).toMatchObject({
    givenUp: 10,
    offReason: `10 events in a row could not be delivered. The last answer: ${brief}`,
  })
  expect(outcomeOf({ isDelivered: true, status: 204, says: '', brief: '' }, 3, 9)).toMatchObject({
    state: 'delivered',
    givenUp: 0,
  })
})

it('a receiver that is gone for good is asked no more', () => {
  expect(outcomeOf({ ...refused, status: 410 }, 0, 0)).toMatchObject({
    state: 'failed',
    nextInSeconds: null,
    offReason: expect.stringContaining('410'),
  })
})
