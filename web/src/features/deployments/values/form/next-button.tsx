import { Button } from '../../../../ui/actions/button.tsx'
import { texts } from '../../texts.ts'
import { useDrafts } from './drafts/drafts.ts'
import type { Values } from './use-values.ts'

interface Props {
  values: Values
  isOpen: boolean
  onNext: () => void
}

/** Next, which stays shut as long as something is typed that the values do not say. */
export function NextButton({ values, isOpen, onNext }: Props) {
  const isSettled = useDrafts(values.drafts).length === 0
  return (
    <Button look="primary" disabled={!isOpen || !isSettled} onClick={onNext}>
      {texts.next}
    </Button>
  )
}
