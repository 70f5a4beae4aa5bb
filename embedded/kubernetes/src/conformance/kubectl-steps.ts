import assert from 'node:assert/strict'
import type { Printed } from './answers.ts'

/** Output of a program that must succeed. */
export async function ok(running: Promise<Printed>): Promise<string> {
  const { code, out, err } = await running
  assert.equal(code, 0, err || out)
  return out
}

/** Error output of a program that must fail. */
export async function fails(running: Promise<Printed>): Promise<string> {
  const { code, out, err } = await running
  assert.notEqual(code, 0, out)
  return err
}
