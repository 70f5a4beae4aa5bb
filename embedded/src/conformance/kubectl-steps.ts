import assert from 'node:assert/strict'
import type { Printed } from './answers.ts'

/** What a program printed that has to end well. */
export async function ok(running: Promise<Printed>): Promise<string> {
  const { code, out, err } = await running
  assert.equal(code, 0, err || out)
  return out
}

/** What a program complained of that has to end badly. */
export async function fails(running: Promise<Printed>): Promise<string> {
  const { code, out, err } = await running
  assert.notEqual(code, 0, out)
  return err
}
