import { redirect } from "next/navigation";

import { paths } from "@/lib/client/paths";

export default function HomePage() {
  redirect(paths.now());
}
