"""What the user's source says, and what its lines and names were in each trace."""
