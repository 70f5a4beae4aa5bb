import { expect, it } from 'vitest'
import { draw } from '../../../testing/draw.tsx'
import { texts } from '../texts.ts'
import { GoneAdvice } from './gone-app.tsx'

it.each([
  ['nobody', undefined, null, texts.gone.gone],
  ['somebody, and nobody knows when', 'noor', null, `${texts.gone.deletedBy} noor ${texts.gone.deletedIt}.`],
])('in the ledger, too, it is said who has deleted an app: %s', (_, by, at, says) => {
  draw(<GoneAdvice gone={{ by, at, last: undefined }} next={texts.gone.nextInLedger} />)
  expect(document.body.textContent).toContain(`${says} ${texts.gone.nextInLedger}`)
})
