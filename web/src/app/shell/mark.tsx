/** The anchor: the product's mark. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="var(--acc)"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <circle cx="12" cy="5" r="2.4" />
      <path d="M12 7.400V21.200M8 10.600h8" />
      <path d="M3.800 14.200c.700 4.200 4 7 8.200 7s7.500-2.800 8.200-7" />
      <path d="M2.200 16.400l1.600-2.200 2.200 1.500M21.800 16.400l-1.600-2.200-2.200 1.500" />
    </svg>
  )
}
