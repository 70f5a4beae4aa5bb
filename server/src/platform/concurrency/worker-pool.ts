import { Worker } from 'node:worker_threads'
import { createSemaphore } from './semaphore.ts'

interface WorkerLimits {
  /** How long one question may take before its thread is ended. */
  limitMs: number
  memoryMb: number
  /** How many questions are answered at a time; others wait their turn. */
  most: number
}

/** A question whose thread was ended, or ended itself, before it had answered. */
export class WorkerEnded extends Error {
  override name = 'WorkerEnded'
}

const keptMs = 5 * 60_000

/**
 * Asks a module that answers each message with one message, in a thread of its own: what runs there can take neither
 * the event loop nor more time and memory than it is given. A thread that has answered waits for the next question,
 * because starting one costs more than most questions.
 */
export function createWorkerPool<Question, Answer>(module: URL, limits: WorkerLimits) {
  const idle: { worker: Worker; timer: NodeJS.Timeout }[] = []
  const slots = createSemaphore(limits.most)

  function take(): Worker {
    const kept = idle.pop()
    if (!kept)
      return new Worker(module, { resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb }, env: envOfThreads() })
    clearTimeout(kept.timer)
    kept.worker.removeAllListeners('error')
    kept.worker.ref()
    return kept.worker
  }

  function giveBack(worker: Worker, isUsable: boolean): void {
    if (isUsable && idle.length === 0) keep(worker)
    else end(worker)
  }

  /** One thread, for a while, without holding the process open for it. */
  function keep(worker: Worker): void {
    const drop = () => {
      const at = idle.findIndex((each) => each.worker === worker)
      if (at >= 0) idle.splice(at, 1)
      end(worker)
    }
    worker.once('error', drop)
    worker.unref()
    idle.push({ worker, timer: setTimeout(drop, keptMs).unref() })
  }

  /** Answers a question, or rejects with the signal's reason as soon as it is aborted, also while it waits its turn. */
  return async (question: Question, signal?: AbortSignal): Promise<Answer> => {
    const leave = await slots.acquire(signal)
    if (signal?.aborted) {
      leave()
      throw signal.reason
    }
    const worker = take()
    return new Promise<Answer>((resolve, reject) => {
      const settle = (isUsable: boolean, tell: () => void) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        worker.removeAllListeners('message').removeAllListeners('error').removeAllListeners('messageerror')
        giveBack(worker, isUsable)
        leave()
        tell()
      }
      const refuse = (why: string) => settle(false, () => reject(new WorkerEnded(why)))
      const abort = () => settle(false, () => reject(signal?.reason))
      signal?.addEventListener('abort', abort, { once: true })
      const timer = setTimeout(() => refuse(`it takes longer than ${limits.limitMs / 1000} s`), limits.limitMs)
      worker.once('message', (answer: Answer) => settle(true, () => resolve(answer)))
      worker.once('error', (error) => refuse(error.message))
      worker.once('messageerror', (error) => refuse(error.message))
      worker.postMessage(question)
    })
  }
}

/** Where compiled code is kept, without which a thread compiles its own anew, and nothing else of this process. */
function envOfThreads(): Record<string, string> {
  const { NODE_COMPILE_CACHE: compiled } = process.env
  return compiled ? { NODE_COMPILE_CACHE: compiled } : {}
}

function end(worker: Worker): void {
  // Errors that the thread still reports come too late: its question is answered.
  worker.once('error', () => undefined)
  void worker.terminate()
}
