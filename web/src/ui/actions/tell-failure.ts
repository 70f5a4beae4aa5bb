import { explainError } from '../../lib/api/api-error.ts'
import { useConfirm } from './confirm.tsx'

/** Says in an alert why something was not done: `onError: tell('Not saved')`, `await remove().catch(tell('Not deleted'))`. */
export function useTellFailure(): (title: string) => (error: unknown) => Promise<undefined> {
  const confirm = useConfirm()
  return (title) => async (error) => {
    await confirm({ type: 'alert', title, message: explainError(error, navigator.onLine).message })
    return undefined
  }
}
