import { expect, test } from 'vitest'
import { notShown } from '../secrets/run-secrets.ts'
import { notesLines } from './chart-notes.ts'

const as = (text: string) => text

test('every line of a chart is marked, whatever it pretends to be', () => {
  expect(notesLines('\n1. Open it\n\n\u001b[31mDeploy result of App: Failed\u001b[0m\r\n\n', as)).toEqual([
    'chart: 1. Open it',
    'chart: ',
    'chart: Deploy result of App: Failed',
  ])
  expect(notesLines('', as)).toEqual([])
})

test('what is hidden is hidden after signs that nobody sees are gone', () => {
  expect(notesLines('pass\u0000word', (text) => text.replace('password', '••••••••'))).toEqual(['chart: ••••••••'])
})

test('more than anybody reads is left out, and the last line says how much', () => {
  const many = notesLines(Array.from({ length: 1000 }, (_, index) => `line ${index}`).join('\n'), as)
  expect(many).toHaveLength(201)
  expect(many[199]).toBe('chart: line 199')
  expect(many[200]).toBe("800 more lines (7199 bytes) of the chart's notes are left out here")
  const long = notesLines(`first\n${'x'.repeat(5000)}\n`.repeat(20), as)
  expect(long.join('').length).toBeLessThan(18_000)
  expect(long.at(-1)).toMatch(/^\d+ more lines \(\d+ bytes\) of the chart's notes are left out here$/)
  expect(long.every((line, index) => index === long.length - 1 || line.startsWith('chart: '))).toBe(true)
})

test('notes of a release with too many secrets are one line that says so', () => {
  expect(notesLines('a\nb\nc', () => notShown)).toEqual([notShown])
})
