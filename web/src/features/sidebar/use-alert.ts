import { useRef } from 'react'
import { useConfirm } from '../../ui/actions/confirm.tsx'

/** Alerts over a dialog: while one is open, Escape closes it and not the dialog below. */
export function useAlert() {
  const confirm = useConfirm()
  const isOpen = useRef(false)
  return {
    isOpen,
    async alert(text: { title: string; message: string }) {
      isOpen.current = true
      await confirm({ ...text, type: 'alert' })
      // The key that closed it is still on its way to the dialog.
      setTimeout(() => {
        isOpen.current = false
      })
    },
  }
}
