import { useConfirm } from '../../../ui/actions/confirm.tsx'
import { texts } from '../texts.ts'

type Entered = keyof typeof texts.leave.of

/** Leaves a wizard; what somebody has entered in it is not lost without a question, and without it there is none. */
export function useLeave(entered: Readonly<Record<Entered, boolean>>, leave: () => void): () => void {
  const confirm = useConfirm()
  const lost = (Object.keys(texts.leave.of) as Entered[]).filter((one) => entered[one])
  return () => {
    if (lost.length === 0) return leave()
    const message = texts.leave.message(lost.map((one) => texts.leave.of[one]))
    void confirm({ title: texts.leave.title, message, danger: true }).then((yes) => {
      if (yes) leave()
    })
  }
}

export const nothingEntered: Readonly<Record<Entered, boolean>> = {
  name: false,
  tags: false,
  values: false,
  groups: false,
}
