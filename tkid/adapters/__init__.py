"""The games for programs that learn: decisions as a few small choices with masks, views as numbers, and two libraries' protocols."""
