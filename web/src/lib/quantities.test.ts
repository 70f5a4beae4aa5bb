import { expect, it } from 'vitest'
import { formatBytes, formatCpu } from './quantities.ts'

it.each([
  [0, '0B'],
  [1023, '1023B'],
  [1024, '1Ki'],
  [1.5 * 1024 ** 3, '1.5Gi'],
  [64 * 1024 ** 3, '64Gi'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

it.each([
  [120, '120m'],
  [1000, '1 core'],
  [2500, '2.5 cores'],
  [16_000, '16 cores'],
])('%d millis are %s', (millis, text) => {
  expect(formatCpu(millis)).toBe(text)
})
