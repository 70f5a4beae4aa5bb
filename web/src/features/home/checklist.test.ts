import { expect, it } from 'vitest'
import { checklistFor, showsChecklist } from './checklist.ts'

it('checks off what is there', () => {
  const done = checklistFor({ spaces: 2, clusters: 1, items: 0, apps: 0 }).map((step) => step.done)
  expect(done).toEqual([true, true, false, false])
})

it('is shown to a tenant without apps, not to one whose apps are unknown', () => {
  expect(showsChecklist({ spaces: 0, clusters: 0, items: 0, apps: 0 })).toBe(true)
  expect(showsChecklist({ spaces: 0, clusters: 0, items: 0, apps: 3 })).toBe(false)
  expect(showsChecklist({ spaces: 1, clusters: 1, items: 1, apps: undefined })).toBe(false)
})
