import { readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { printAsRead } from '../../../../adapters/helm/manifest.ts'
import { type Comparison, differs } from './compare.ts'

/** Helm hands over what it has rendered and takes back what it applies: exactly what was checked, or nothing at all. */
const [, , given = '', refusal = ''] = process.argv
const comparison = JSON.parse(readFileSync(given, 'utf8')) as Comparison
const rendered = await text(process.stdin)
const why = differs(rendered, comparison)
if (why) {
  // Helm says only that there was an error.
  writeFileSync(refusal, why)
  process.exitCode = 1
} else process.stdout.write(printAsRead(rendered))
