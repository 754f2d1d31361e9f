"""What is asked: sessions, exercises, their references and the engine that checks them."""
