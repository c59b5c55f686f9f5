"""What was recorded, as tables that each event changes: functions, traces, compilations, jaxprs, times."""
