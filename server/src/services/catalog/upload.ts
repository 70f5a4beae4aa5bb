import type { FileHandle } from 'node:fs/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { UploadReply } from '@quayside/contract/catalog/endpoints'
import type { FastifyRequest } from 'fastify'
import type { Semaphore } from '../../platform/concurrency/semaphore.ts'
import type { Db } from '../../platform/db/db.ts'
import { Failure, fail, isDiskFull } from '../../platform/http/errors.ts'
import { inspectChart } from './intake/inspect.ts'
import { intakeLimits } from './intake/limits.ts'
import { type Publisher, publish } from './publish.ts'
import { packedInFile, type UploadFolder } from './upload-folder.ts'

interface UploadDeps {
  db: Db
  folder: UploadFolder
  /** Inspections at once, of uploads and of what sources bring. */
  inspections: Semaphore
}

/** Takes a package in: writes the one file of the request to disk while it arrives, inspects it, publishes it. */
export function createUpload({ db, folder, inspections }: UploadDeps) {
  let underWay = 0

  return async function upload(
    by: Publisher,
    request: FastifyRequest,
    mustStillBeAllowed: () => Promise<unknown>,
  ): Promise<UploadReply> {
    if (underWay >= intakeLimits.uploads) throw fail('request.too-many')
    underWay += 1
    try {
      return await folder.withFile(async (file) => {
        await receivePackage(request, file)
        await mustStillBeAllowed()
        // Publishing is included: an inspected chart holds its package in memory until it is in the database.
        return await inspections.run(async () => publish(db, by, await inspectChart(await packedInFile(file))))
      })
    } catch (error) {
      throw isDiskFull(error) ? fail('catalog.disk-full', { cause: error }) : error
    } finally {
      underWay -= 1
    }
  }
}

/** Writes the package of a multipart request to `file`, chunk by chunk as it arrives. Refuses all but one file in the field `file`. */
export async function receivePackage(request: FastifyRequest, file: FileHandle): Promise<void> {
  if (!request.isMultipart()) {
    throw fail('request.unsupported-media-type', {
      field: 'file',
      message: 'Send the package as multipart/form-data in the field file.',
    })
  }
  let content: MultipartFile['file'] | undefined
  // The parser hears only of a sender who leaves from now on, and would wait for ever for one who is already gone.
  if (request.raw.destroyed) throw brokenOff(new Error('the connection was closed before the upload was read'))
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type !== 'file') continue
      if (part.fieldname !== 'file') {
        throw fail('request.invalid', { field: part.fieldname, message: 'The package belongs in the field file.' })
      }
      content = part.file
      await file.writeFile(content)
    }
  } catch (error) {
    throw asFailure(error)
  }
  if (!content || content.bytesRead === 0) {
    throw fail('request.invalid', { field: 'file', message: content ? 'file: it is empty' : 'file: it is missing' })
  }
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
    return brokenOff(error)
  }
  return error
}

const brokenOff = (cause: unknown) =>
  fail('request.invalid', { field: 'file', message: 'file: the upload broke off or is not well formed', cause })
