import type { UploadReply } from '@quayside/contract/catalog/endpoints'
import type { FastifyRequest } from 'fastify'
import { createSemaphore } from '../../platform/concurrency/semaphore.ts'
import type { Db } from '../../platform/db/db.ts'
import { Failure, fail } from '../../platform/http/errors.ts'
import { inspectChart } from './intake/inspect.ts'
import { intakeLimits } from './intake/limits.ts'
import { publish } from './publish.ts'

/** Takes a package in: reads the one file of the request, looks it through, publishes it. */
export function createUpload(db: Db) {
  const inspections = createSemaphore(intakeLimits.atOnce)
  let held = 0

  return async function upload(tenantId: string, request: FastifyRequest): Promise<UploadReply> {
    // Each waiting upload is held in memory.
    if (held >= intakeLimits.waiting) throw fail('request.too-many')
    held += 1
    try {
      const packed = await theFile(request)
      const inspected = await inspections.run(() => inspectChart(packed))
      return await publish(db, tenantId, inspected)
    } finally {
      held -= 1
    }
  }
}

async function theFile(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart()) {
    throw fail('request.unsupported-media-type', {
      field: 'file',
      message: 'Send the package as multipart/form-data in the field file.',
    })
  }
  let found: Buffer | undefined
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type !== 'file') continue
      if (part.fieldname !== 'file') {
        throw fail('request.invalid', { field: part.fieldname, message: 'The package belongs in the field file.' })
      }
      found = await part.toBuffer()
    }
  } catch (error) {
    throw asFailure(error)
  }
  if (!found || found.length === 0) {
    throw fail('request.invalid', { field: 'file', message: found ? 'file: it is empty' : 'file: it is missing' })
  }
  return found
}

const limits = { files: 1, fields: 4, parts: 5, fileSize: intakeLimits.uploadBytes, fieldSize: 1024, headerPairs: 50 }

function asFailure(error: unknown): unknown {
  if (error instanceof Failure) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    const message = `The package is larger than ${intakeLimits.uploadBytes / 1024 / 1024} MiB.`
    return fail('request.too-large', { field: 'file', message, cause: error })
  }
  if (/^FST_(?:FILES|PARTS|FIELDS)_LIMIT/.test(code)) {
    return fail('request.invalid', { field: 'file', message: 'file: send one package at a time', cause: error })
  }
  if (
    code.startsWith('FST_') ||
    (error instanceof Error && /multipart|boundary|unexpected end of form|premature|aborted/i.test(error.message))
  ) {
    return fail('request.invalid', {
      field: 'file',
      message: 'file: the upload broke off or is not well formed',
      cause: error,
    })
  }
  return error
}
