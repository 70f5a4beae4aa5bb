import { expect, it } from 'vitest'
import { hideInTexts } from './hide-in-texts.ts'

const hide = (text: string) => text.replaceAll('hunter2', '••••••••')

it('words of a cluster are hidden wherever they stand, names stay', () => {
  const pods = {
    data: [{ name: 'hunter2', message: 'exit: hunter2', containers: [{ state: 'Error', message: 'said hunter2' }] }],
  }
  expect(hideInTexts(pods, hide)).toEqual({
    data: [{ name: 'hunter2', message: 'exit: ••••••••', containers: [{ state: 'Error', message: 'said ••••••••' }] }],
  })
  expect(hideInTexts({ detail: 'hunter2', message: null }, hide)).toEqual({ detail: '••••••••', message: null })
})
